-- filter[name]=a&filter[stock][ne]=1&filter[sold]=true&filter[serial]=9007199254740993
-- postgresql, data: ["a", 1, "9007199254740993"]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."name" = $1 and "articles"."stock" <> $2 and "articles"."sold" = true and "articles"."serial" = $3) order by "articles"."id" asc limit 10;
-- postgresql, count: ["a", 1, "9007199254740993"]
select count(*) from "articles" as "articles" where ("articles"."name" = $1 and "articles"."stock" <> $2 and "articles"."sold" = true and "articles"."serial" = $3);
-- mysql, data: ["a", 1, 1, "9007199254740993"]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where (`articles`.`name` = ? and `articles`.`stock` <> ? and `articles`.`sold` = ? and `articles`.`serial` = cast(? as signed)) order by `articles`.`id` asc limit 10;
-- mysql, count: ["a", 1, 1, "9007199254740993"]
select count(*) from `articles` as `articles` where (`articles`.`name` = ? and `articles`.`stock` <> ? and `articles`.`sold` = ? and `articles`.`serial` = cast(? as signed));
-- sqlite, data: ["a", 1, "9007199254740993", 10]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."name" = ? and "articles"."stock" <> cast(? as integer) and "articles"."sold" = 1 and "articles"."serial" = cast(? as integer)) order by "articles"."id" asc limit +?;
-- sqlite, count: ["a", 1, "9007199254740993"]
select count(*) from "articles" as "articles" where ("articles"."name" = ? and "articles"."stock" <> cast(? as integer) and "articles"."sold" = 1 and "articles"."serial" = cast(? as integer));

-- filter[code]=6BA7B810-9DAD-11D1-80B4-00C04FD430C8&filter[state]=new&filter[day]=2024-02-29
-- postgresql, data: ["6ba7b810-9dad-11d1-80b4-00c04fd430c8", "2024-02-29"]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."code" = $1 and "articles"."state" = 'new' and "articles"."day" = $2) order by "articles"."id" asc limit 10;
-- postgresql, count: ["6ba7b810-9dad-11d1-80b4-00c04fd430c8", "2024-02-29"]
select count(*) from "articles" as "articles" where ("articles"."code" = $1 and "articles"."state" = 'new' and "articles"."day" = $2);
-- mysql, data: ["6ba7b810-9dad-11d1-80b4-00c04fd430c8", "new", "2024-02-29"]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where (`articles`.`code` = ? and `articles`.`state` = ? and `articles`.`day` = ?) order by `articles`.`id` asc limit 10;
-- mysql, count: ["6ba7b810-9dad-11d1-80b4-00c04fd430c8", "new", "2024-02-29"]
select count(*) from `articles` as `articles` where (`articles`.`code` = ? and `articles`.`state` = ? and `articles`.`day` = ?);
-- sqlite, data: ["6ba7b810-9dad-11d1-80b4-00c04fd430c8", "2024-02-29", 10]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."code" = ? and "articles"."state" = 'new' and "articles"."day" = ?) order by "articles"."id" asc limit +?;
-- sqlite, count: ["6ba7b810-9dad-11d1-80b4-00c04fd430c8", "2024-02-29"]
select count(*) from "articles" as "articles" where ("articles"."code" = ? and "articles"."state" = 'new' and "articles"."day" = ?);
