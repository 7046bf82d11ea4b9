select concat({p9:String}, ifNull(toJSONString(r.c0), 'null'), '}') as "row"
from (select *
from (select s0."CMDLINE" as c0
from (select "CMDLINE", "EXE_PATH"
from lw_he_processes
where account = {p7:String} and t >= {p5:Int64} and t < {p6:Int64}) as s0
where ((ilike(s0."CMDLINE", {p1:String})) and (match(s0."EXE_PATH", {p2:String})) and (not (like(s0."CMDLINE", {p3:String}) or like(s0."CMDLINE", {p4:String}))))) as l
limit {p8:Int64}) as r
-- 1: string %CURL%
-- 2: string ^(?:/usr/(local/)?bin/.*)$
-- 3: string a\_%
-- 4: string %b
-- 5: bigint 1000
-- 6: bigint 2000
-- 7: string acme
-- 8: bigint 100
-- 9: string {"CMDLINE":
