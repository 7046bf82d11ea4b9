select concat($11::VARCHAR, coalesce(cast(to_json(r.c0) as varchar), 'null'), $12::VARCHAR, coalesce(cast(r.c1 as varchar), 'null'), '}') as "row"
from (select *
from (select coalesce(s0."HOME_DIR", $6::VARCHAR) as c0, case when (json_type(s0."OTHER_GROUP_NAMES", $3::VARCHAR) in ('ARRAY')) then cast(json_array_length(s0."OTHER_GROUP_NAMES") as bigint) end as c1
from (select "OTHER_GROUP_NAMES", "HOME_DIR"
from lw_he_users
where account = $9::VARCHAR and t >= $7::BIGINT and t < $8::BIGINT) as s0
where (list_transform([cast(json_extract(s0."OTHER_GROUP_NAMES", decode(from_hex('245b2a5d'))) as json[])], lambda v0: coalesce(len(list_filter(v0, lambda v1: json_extract_string(v1, $3::VARCHAR) = $1::VARCHAR or json_extract_string(v1, $3::VARCHAR) = $2::VARCHAR)) > 0, false))[1] or (json_type(s0."OTHER_GROUP_NAMES", $4::VARCHAR) in ('NULL')) or (not (not (json_extract(s0."OTHER_GROUP_NAMES", $5::VARCHAR) is null))))) as l
limit $10::BIGINT) as r
-- 1: string wheel
-- 2: string sudo
-- 3: string $
-- 4: string /a b
-- 5: string /x
-- 6: string none
-- 7: bigint 1000
-- 8: bigint 2000
-- 9: string acme
-- 10: bigint 100
-- 11: string {"HOME":
-- 12: string ,"GROUPS":
