select concat($5::VARCHAR, coalesce(cast(to_json(r.c0) as varchar), 'null'), $6::VARCHAR, coalesce(cast(to_json(r.c1) as varchar), 'null'), '}') as "row"
from (select *
from (select s0."CMDLINE" as c0, s1."HOSTNAME" as c1
from (select "MID", "USERNAME", "CMDLINE"
from lw_he_processes
where account = $3::VARCHAR and t >= $1::BIGINT and t < $2::BIGINT) as s0
left join (select "MID", "HOSTNAME"
from lw_he_machines
where account = $3::VARCHAR and t >= $1::BIGINT and t < $2::BIGINT) as s1 on s0."MID" = s1."MID"
left join (select "HOME_DIR", "MID", "USERNAME"
from lw_he_users
where account = $3::VARCHAR and t >= $1::BIGINT and t < $2::BIGINT) as s2 on s0."MID" = s2."MID" and s0."USERNAME" = s2."USERNAME"
where (s2."HOME_DIR" is null)) as l
limit $4::BIGINT) as r
-- 1: bigint 1000
-- 2: bigint 2000
-- 3: string acme
-- 4: bigint 100
-- 5: string {"CMDLINE":
-- 6: string ,"HOSTNAME":
