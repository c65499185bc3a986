-- How often an owner has asked for another address of sessions of a plan. Nodes are told the number with the plan's facts, and ask about a session again when it
-- has changed since they last asked: so a feed that was away for a while loses nothing, and the facts stay small however many sessions there are.
alter table residential.plan add column session_renewals integer not null default 0;

-- Keys begin with the plan.
create index sticky_session_plan on residential.sticky_session (split_part(key, '/', 1));
