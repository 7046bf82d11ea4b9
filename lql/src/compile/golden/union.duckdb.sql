select concat($5::VARCHAR, coalesce(r.c0, 'null'), $6::VARCHAR, coalesce(cast(to_json(r.c1) as varchar), 'null'), '}') as "row"
from (select *
from (select distinct *
from (select case when typeof(s0."MID") = 'DOUBLE' then list_transform([cast(s0."MID" as double)], lambda v0: case when trunc(v0) = v0 and try_cast(v0 as bigint) is not null then cast(try_cast(v0 as bigint) as varchar) else cast(v0 as varchar) end)[1] else cast(s0."MID" as varchar) end as c0, s0."PATH" as c1
from (select "MID", "PATH"
from lw_he_files
where account = $3::VARCHAR and t >= $1::BIGINT and t < $2::BIGINT) as s0
union all select case when typeof(s1."MID") = 'DOUBLE' then list_transform([cast(s1."MID" as double)], lambda v1: case when trunc(v1) = v1 and try_cast(v1 as bigint) is not null then cast(try_cast(v1 as bigint) as varchar) else cast(v1 as varchar) end)[1] else cast(s1."MID" as varchar) end as c0, s1."USERNAME" as c1
from (select "MID", "USERNAME"
from lw_he_users
where account = $3::VARCHAR and t >= $1::BIGINT and t < $2::BIGINT) as s1) as u) as l
limit $4::BIGINT) as r
-- 1: bigint 1000
-- 2: bigint 2000
-- 3: string acme
-- 4: bigint 100
-- 5: string {"MID":
-- 6: string ,"NAME":
