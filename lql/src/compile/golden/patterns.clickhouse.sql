select concat({p9:String}, ifNull(toJSONString(r.c0), 'null'), '}') as "row"
from (select *
from (select s0."CMDLINE" as c0
from (select "CMDLINE", "EXE_PATH"
from lw_he_processes
where account = {p3:String} and t >= {p1:Int64} and t < {p2:Int64}) as s0
where ((ilike(s0."CMDLINE", {p4:String})) and (match(s0."EXE_PATH", {p5:String})) and (not (like(s0."CMDLINE", {p6:String}) or like(s0."CMDLINE", {p7:String}))))) as l
limit {p8:Int64}) as r
-- 1: bigint 1000
-- 2: bigint 2000
-- 3: string acme
-- 4: string %CURL%
-- 5: string ^(?:/usr/(local/)?bin/.*)$
-- 6: string a\_%
-- 7: string %b
-- 8: bigint 100
-- 9: string {"CMDLINE":
