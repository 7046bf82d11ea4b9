select concat($6::VARCHAR, coalesce(cast(to_json(r.c0) as varchar), 'null'), $7::VARCHAR, coalesce(cast(to_json(r.c1) as varchar), 'null'), '}') as "row"
from (select *
from (select s0."PATH" as c0, s1."HOSTNAME" as c1
from (select "MID", "PATH"
from lw_he_files
where account = $4::VARCHAR and t >= $2::BIGINT and t < $3::BIGINT) as s0
left join (select "OS", "MID", "HOSTNAME"
from lw_he_machines
where account = $4::VARCHAR and t >= $2::BIGINT and t < $3::BIGINT) as s1 on s0."MID" = s1."MID"
where (s1."OS" = $1::VARCHAR)) as l
limit $5::BIGINT) as r
-- 1: string linux
-- 2: bigint 1000
-- 3: bigint 2000
-- 4: string acme
-- 5: bigint 100
-- 6: string {"PATH":
-- 7: string ,"HOSTNAME":
