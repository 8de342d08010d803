-- filter[name][in]=a,b,c&filter[serial][notIn]=1,2
-- postgresql, data: [["a", "b", "c"], ["1", "2"]]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."name" = any($1) and "articles"."serial" <> all($2)) order by "articles"."id" asc limit 10;
-- postgresql, count: [["a", "b", "c"], ["1", "2"]]
select count(*) from "articles" as "articles" where ("articles"."name" = any($1) and "articles"."serial" <> all($2));
-- mysql, data: ["a", "b", "c", "c", "1", "2"]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where (`articles`.`name` in (?, ?, ?, ?) and `articles`.`serial` not in (cast(? as signed), cast(? as signed))) order by `articles`.`id` asc limit 10;
-- mysql, count: ["a", "b", "c", "c", "1", "2"]
select count(*) from `articles` as `articles` where (`articles`.`name` in (?, ?, ?, ?) and `articles`.`serial` not in (cast(? as signed), cast(? as signed)));
-- sqlite, data: ["a", "b", "c", "c", "1", "2", 10]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."name" in (?, ?, ?, ?) and "articles"."serial" not in (cast(? as integer), cast(? as integer))) order by "articles"."id" asc limit +?;
-- sqlite, count: ["a", "b", "c", "c", "1", "2"]
select count(*) from "articles" as "articles" where ("articles"."name" in (?, ?, ?, ?) and "articles"."serial" not in (cast(? as integer), cast(? as integer)));

-- filter[name][in]=&filter[stock][notIn]=
-- postgresql, data: [[], []]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."name" = any($1) and "articles"."stock" <> all($2)) order by "articles"."id" asc limit 10;
-- postgresql, count: [[], []]
select count(*) from "articles" as "articles" where ("articles"."name" = any($1) and "articles"."stock" <> all($2));
-- mysql, data: []
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where (1 = 0 and 1 = 1) order by `articles`.`id` asc limit 10;
-- mysql, count: []
select count(*) from `articles` as `articles` where (1 = 0 and 1 = 1);
-- sqlite, data: ["[]", "[]", 10]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."name" in (select value from json_each(?)) and "articles"."stock" not in (select value from json_each(?))) order by "articles"."id" asc limit +?;
-- sqlite, count: ["[]", "[]"]
select count(*) from "articles" as "articles" where ("articles"."name" in (select value from json_each(?)) and "articles"."stock" not in (select value from json_each(?)));

-- filter[price][in]=1.50,0.1234567890123456789&filter[sold][in]=1,0
-- postgresql, data: [["1.5", "0.1234567890123456789"]]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."price" = any($1) and "articles"."sold" in (false, true)) order by "articles"."id" asc limit 10;
-- postgresql, count: [["1.5", "0.1234567890123456789"]]
select count(*) from "articles" as "articles" where ("articles"."price" = any($1) and "articles"."sold" in (false, true));
-- mysql, data: ["1.5", "0.1234567890123456789", 1, 0]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where (`articles`.`price` in (cast(? as decimal(65, 30)), cast(? as decimal(65, 30))) and `articles`.`sold` in (?, ?)) order by `articles`.`id` asc limit 10;
-- mysql, count: ["1.5", "0.1234567890123456789", 1, 0]
select count(*) from `articles` as `articles` where (`articles`.`price` in (cast(? as decimal(65, 30)), cast(? as decimal(65, 30))) and `articles`.`sold` in (?, ?));
-- sqlite, data: [1.5, 1.7976931348623157e+308, 10]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."price" in (?, ?) and "articles"."sold" in (0, 1)) order by "articles"."id" asc limit +?;
-- sqlite, count: [1.5, 1.7976931348623157e+308]
select count(*) from "articles" as "articles" where ("articles"."price" in (?, ?) and "articles"."sold" in (0, 1));
