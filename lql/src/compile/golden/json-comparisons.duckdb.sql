select concat($12::VARCHAR, coalesce(case when typeof(r.c0) = 'DOUBLE' then list_transform([cast(r.c0 as double)], lambda v3: case when trunc(v3) = v3 and try_cast(v3 as bigint) is not null then cast(try_cast(v3 as bigint) as varchar) else cast(v3 as varchar) end)[1] else cast(r.c0 as varchar) end, 'null'), $13::VARCHAR, coalesce(r.c1, 'null'), '}') as "row"
from (select *
from (select s0."INSERT_ID" as c0, s0."EVENT" as c1
from (select "EVENT", "INSERT_ID"
from cloudtrailrawevents
where account = $10::VARCHAR and t >= $8::BIGINT and t < $9::BIGINT) as s0
where ((json_extract_string(s0."EVENT", $1::VARCHAR) = $2::VARCHAR) and (json_extract_string(s0."EVENT", $3::VARCHAR) = $4::VARCHAR) and (list_transform([list_transform([json_extract_string(s0."EVENT", $5::VARCHAR)], lambda v1: case when not contains(v1, '_') and not contains(v1, '+-') then try_cast(v1 as double) end)[1]], lambda v2: case when isfinite(v2) then v2 end)[1] > cast($6::BIGINT as double)) and (case lower(json_extract_string(s0."EVENT", $7::VARCHAR)) when 'true' then true when 'false' then false end = true))) as l
limit $11::BIGINT) as r
-- 1: string /userIdentity/type
-- 2: string Root
-- 3: string /readOnly
-- 4: string false
-- 5: string /responseElements/count
-- 6: bigint 3
-- 7: string /flag
-- 8: bigint 1000
-- 9: bigint 2000
-- 10: string acme
-- 11: bigint 100
-- 12: string {"INSERT_ID":
-- 13: string ,"EVENT":
