select concat($12::VARCHAR, coalesce(case when typeof(r.c0) = 'DOUBLE' then list_transform([cast(r.c0 as double)], lambda v2: case when trunc(v2) = v2 and try_cast(v2 as bigint) is not null then cast(try_cast(v2 as bigint) as varchar) else cast(v2 as varchar) end)[1] else cast(r.c0 as varchar) end, 'null'), $13::VARCHAR, coalesce(r.c1, 'null'), '}') as "row"
from (select *
from (select s0."INSERT_ID" as c0, s0."EVENT" as c1
from (select "EVENT", "INSERT_ID"
from cloudtrailrawevents
where account = $3::VARCHAR and t >= $1::BIGINT and t < $2::BIGINT) as s0
where ((json_extract_string(s0."EVENT", $4::VARCHAR) = $5::VARCHAR) and (json_extract_string(s0."EVENT", $6::VARCHAR) = $7::VARCHAR) and (list_transform([json_extract_string(s0."EVENT", $8::VARCHAR)], lambda v1: case when not contains(v1, '_') and not contains(v1, '+-') and isfinite(try_cast(v1 as double)) then try_cast(v1 as double) end)[1] > cast($9::BIGINT as double)) and (case lower(json_extract_string(s0."EVENT", $10::VARCHAR)) when 'true' then true when 'false' then false end = true))) as l
limit $11::BIGINT) as r
-- 1: bigint 1000
-- 2: bigint 2000
-- 3: string acme
-- 4: string /userIdentity/type
-- 5: string Root
-- 6: string /readOnly
-- 7: string false
-- 8: string /responseElements/count
-- 9: bigint 3
-- 10: string /flag
-- 11: bigint 100
-- 12: string {"INSERT_ID":
-- 13: string ,"EVENT":
