select concat($6::VARCHAR, coalesce(case when typeof(r.c0) = 'DOUBLE' then list_transform([cast(r.c0 as double)], lambda v0: case when trunc(v0) = v0 and try_cast(v0 as bigint) is not null then cast(try_cast(v0 as bigint) as varchar) else cast(v0 as varchar) end)[1] else cast(r.c0 as varchar) end, 'null'), '}') as "row"
from (select *
from (select s0."PID_HASH" as c0
from (select "MID", "USERNAME", "PID_HASH"
from lw_he_processes
where account = $4::VARCHAR and t >= $2::BIGINT and t < $3::BIGINT) as s0
where (((s0."MID", s0."USERNAME") in (select k0, k1
from (select s1."MID" as k0, s1."USERNAME" as k1
from (select "HOME_DIR", "MID", "USERNAME"
from lw_he_users
where account = $4::VARCHAR and t >= $2::BIGINT and t < $3::BIGINT) as s1
where ((s1."HOME_DIR" like $1::VARCHAR))) as w
where k0 is not null and k1 is not null)) and (not case when s0."MID" is null then null else (s0."MID" in (select k0
from (select s2."MID" as k0
from (select "MID"
from lw_he_machines
where account = $4::VARCHAR and t >= $2::BIGINT and t < $3::BIGINT) as s2) as w
where k0 is not null)) end))) as l
limit $5::BIGINT) as r
-- 1: string /home/%
-- 2: bigint 1000
-- 3: bigint 2000
-- 4: string acme
-- 5: bigint 100
-- 6: string {"PID_HASH":
