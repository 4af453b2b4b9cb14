"""The site map of pages."""

from django.urls import path

from inspector.web import (
    account,
    copied,
    deleting,
    found_turns,
    kinds_table,
    members,
    projects,
    rules,
    search,
    settings,
    signin,
    start,
    theme,
    versions,
)
from inspector.web.comparison import views as compare
from inspector.web.history import presence
from inspector.web.history import views as history
from inspector.web.robots import robots
from inspector.web.session import listing as sessions
from inspector.web.session import prefixes
from inspector.web.session import views as session
from inspector.web.shares import shared
from inspector.web.shares import views as shares
from inspector.web.turn import views as turn

urlpatterns = [
    path("", projects.projects, name="projects"),
    path("robots.txt", robots, name="robots"),
    path("theme/", theme.choose, name="theme"),
    path("sign-in/", signin.sign_in, name="sign-in"),
    path("sign-in/<str:token>", signin.sign_in_link, name="sign-in-link"),
    path("account/", account.account, name="account"),
    path("sign-out/", signin.sign_out, name="sign-out"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<slug:name>", rules.rule, name="rule"),
    # A project: p/<slug>/
    path("p/<slug:slug>/", sessions.sessions, name="sessions"),
    path("p/<slug:slug>/news", sessions.news, name="sessions-news"),
    path("p/<slug:slug>/start/", start.start, name="start"),
    path("p/<slug:slug>/start/news", start.news, name="start-news"),
    path("p/<slug:slug>/turns/", found_turns.found_turns, name="found-turns"),
    path("p/<slug:slug>/search/", search.results, name="search"),
    path("p/<slug:slug>/versions/", versions.versions, name="versions"),
    path("p/<slug:slug>/shares/", shares.shares, name="shares"),
    path("p/<slug:slug>/share/", shares.share, name="share"),
    path("p/<slug:slug>/shares/<int:share_id>/revoke", shares.revoke, name="revoke"),
    # Its sessions, turns and comparisons
    path("p/<slug:slug>/s/<str:short_id>/", session.session, name="session"),
    path("p/<slug:slug>/s/<str:short_id>/news", session.news, name="session-news"),
    path("p/<slug:slug>/s/<str:short_id>/history/", history.history, name="history"),
    path("p/<slug:slug>/s/<str:short_id>/prefix/", prefixes.prefixes, name="prefixes"),
    path("p/<slug:slug>/s/<str:short_id>/presence/", presence.find, name="presence"),
    path("p/<slug:slug>/t/<str:key>/", turn.turn, name="turn"),
    path("p/<slug:slug>/t/<str:key>/record", turn.record, name="record"),
    path("p/<slug:slug>/t/<str:key>/state", turn.state, name="turn-state"),
    path("p/<slug:slug>/t/<str:key>/next", turn.next_turn, name="next-turn"),
    path("p/<slug:slug>/t/<str:key>/sections/<int:index>", turn.section, name="section"),
    path("p/<slug:slug>/t/<str:key>/sections/<int:index>/text", turn.section_text, name="section-text"),
    path("p/<slug:slug>/t/<str:key>/messages/<int:index>/text", turn.message_text, name="message-text"),
    path("p/<slug:slug>/t/<str:key>/response/text", copied.response_text, name="response-text"),
    path("p/<slug:slug>/t/<str:key>/delete", deleting.turn, name="turn-delete"),
    path("p/<slug:slug>/s/<str:short_id>/reread", kinds_table.reread_session, name="session-reread"),
    path("p/<slug:slug>/s/<str:short_id>/delete", deleting.session, name="session-delete"),
    path("p/<slug:slug>/compare/", compare.choose, name="compare"),
    path("p/<slug:slug>/compare/<str:old_key>/<str:new_key>/", compare.comparison, name="comparison"),
    # Its settings
    path("p/<slug:slug>/settings/", settings.settings, name="settings"),
    path("p/<slug:slug>/settings/general", settings.general, name="settings-general"),
    path("p/<slug:slug>/settings/kinds", kinds_table.kinds, name="settings-kinds"),
    path("p/<slug:slug>/settings/reread", kinds_table.reread, name="reread"),
    path("p/<slug:slug>/settings/reread/progress", kinds_table.progress, name="reread-progress"),
    path("p/<slug:slug>/settings/keys", settings.key_create, name="key-create"),
    path("p/<slug:slug>/settings/keys/<int:key_id>/revoke", settings.key_revoke, name="key-revoke"),
    path("p/<slug:slug>/settings/members", members.member_add, name="member-add"),
    path("p/<slug:slug>/settings/members/<int:member_id>", members.member_change, name="member-change"),
    path(
        "p/<slug:slug>/settings/members/<int:member_id>/remove", members.member_remove, name="member-remove"
    ),
    path("p/<slug:slug>/settings/delete", deleting.project, name="project-delete"),
    # Shared: nobody signs in here
    path("s/<str:token>/", shared.shared, name="shared"),
    path("s/<str:token>/sections/<int:index>", shared.section, name="shared-section"),
    path("s/<str:token>/sections/<int:index>/text", shared.section_text, name="shared-section-text"),
    path("s/<str:token>/t/<str:key>/", shared.turn, name="shared-turn"),
    path("s/<str:token>/t/<str:key>/sections/<int:index>", shared.section, name="shared-turn-section"),
    path(
        "s/<str:token>/t/<str:key>/sections/<int:index>/text",
        shared.section_text,
        name="shared-turn-section-text",
    ),
    path("s/<str:token>/compare/", shared.choose, name="shared-compare"),
    path("s/<str:token>/compare/<str:old_key>/<str:new_key>/", shared.comparison, name="shared-comparison"),
]
