select concat($9::VARCHAR, coalesce(cast(to_json(r.c0) as varchar), 'null'), $10::VARCHAR, coalesce(cast(r.c1 as varchar), 'null'), '}') as "row"
from (select *
from (select s0."USERNAME" as c0, date_diff('minute', case when s0."LOGIN_TIME" between -62135596800000 and 253402300799999 then make_timestamp_ms(s0."LOGIN_TIME") end, case when s0."LOGOFF_TIME" between -62135596800000 and 253402300799999 then make_timestamp_ms(s0."LOGOFF_TIME") end) as c1
from (select "LOGIN_TIME", "USERNAME", "LOGOFF_TIME"
from lw_ha_user_logins
where account = $7::VARCHAR and t >= $5::BIGINT and t < $6::BIGINT) as s0
where ((s0."LOGIN_TIME" > list_transform([try_cast(cast(list_transform([try_cast(cast($2::BIGINT as hugeint) * 1000 as bigint)], lambda v0: case when v0 between -62135596800000 and 253402300799999 then v0 end)[1] as hugeint) + cast(try((cast(0 as bigint) - $1::BIGINT)) as hugeint) * 86400000 as bigint)], lambda v1: case when v1 between -62135596800000 and 253402300799999 then v1 end)[1]) and ((hour(case when s0."LOGIN_TIME" between -62135596800000 and 253402300799999 then make_timestamp_ms(s0."LOGIN_TIME") end) >= $3::BIGINT) and (hour(case when s0."LOGIN_TIME" between -62135596800000 and 253402300799999 then make_timestamp_ms(s0."LOGIN_TIME") end) <= $4::BIGINT)))) as l
limit $8::BIGINT) as r
-- 1: bigint 7
-- 2: bigint 1714568400
-- 3: bigint 0
-- 4: bigint 5
-- 5: bigint 1000
-- 6: bigint 2000
-- 7: string acme
-- 8: bigint 100
-- 9: string {"USERNAME":
-- 10: string ,"MINUTES":
