-- sort=name
-- postgresql, data: []
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."name" asc, "articles"."id" asc limit 11;
-- mysql, data: []
select `articles`.`id`, `articles`.`name` from `articles` as `articles` order by `articles`.`name` asc, `articles`.`id` asc limit 11;
-- sqlite, data: [11]
select "articles"."id", "articles"."name" from "articles" as "articles" order by "articles"."name" asc, "articles"."id" asc limit +?;

-- sort=name,price&{"direction":"after","inclusive":false,"values":["a","1.5",7]}
-- postgresql, data: ["a", "1.5", 7]
select "articles"."id", "articles"."name", "articles"."price" from "articles" as "articles" where ("articles"."name", "articles"."price", "articles"."id") > ($1, $2, $3) order by "articles"."name" asc, "articles"."price" asc, "articles"."id" asc limit 11;
-- mysql, data: ["a", "a", "a", "1.5", "1.5", 7]
select `articles`.`id`, `articles`.`name`, `articles`.`price` from `articles` as `articles` where `articles`.`name` >= ? and (`articles`.`name` > ? or (`articles`.`name` = ? and (`articles`.`price` > cast(? as decimal(65, 30)) or (`articles`.`price` = cast(? as decimal(65, 30)) and `articles`.`id` > ?)))) order by `articles`.`name` asc, `articles`.`price` asc, `articles`.`id` asc limit 11;
-- sqlite, data: ["a", 1.5, 7, 11]
select "articles"."id", "articles"."name", case when "articles"."price" between -9007199254740991 and 9007199254740991 then "articles"."price" when "articles"."price" < '' then quote("articles"."price") else "articles"."price" end from "articles" as "articles" where ("articles"."name", "articles"."price", "articles"."id") > (+?, +?, cast(? as integer)) order by "articles"."name" asc, "articles"."price" asc, "articles"."id" asc limit +?;

-- sort=name,price&{"direction":"before","inclusive":false,"values":["a","1.5",7]}
-- postgresql, data: ["a", "1.5", 7]
select "articles"."id", "articles"."name", "articles"."price" from "articles" as "articles" where ("articles"."name", "articles"."price", "articles"."id") < ($1, $2, $3) order by "articles"."name" desc, "articles"."price" desc, "articles"."id" desc limit 11;
-- mysql, data: ["a", "a", "a", "1.5", "1.5", 7]
select `articles`.`id`, `articles`.`name`, `articles`.`price` from `articles` as `articles` where `articles`.`name` <= ? and (`articles`.`name` < ? or (`articles`.`name` = ? and (`articles`.`price` < cast(? as decimal(65, 30)) or (`articles`.`price` = cast(? as decimal(65, 30)) and `articles`.`id` < ?)))) order by `articles`.`name` desc, `articles`.`price` desc, `articles`.`id` desc limit 11;
-- sqlite, data: ["a", 1.5, 7, 11]
select "articles"."id", "articles"."name", case when "articles"."price" between -9007199254740991 and 9007199254740991 then "articles"."price" when "articles"."price" < '' then quote("articles"."price") else "articles"."price" end from "articles" as "articles" where ("articles"."name", "articles"."price", "articles"."id") < (+?, +?, cast(? as integer)) order by "articles"."name" desc, "articles"."price" desc, "articles"."id" desc limit +?;

-- sort=name&{"direction":"after","inclusive":true,"values":["a",7]}
-- postgresql, data: ["a", 7]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."name", "articles"."id") >= ($1, $2) order by "articles"."name" asc, "articles"."id" asc limit 11;
-- mysql, data: ["a", "a", "a", 7, 7]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where `articles`.`name` >= ? and (`articles`.`name` > ? or (`articles`.`name` = ? and (`articles`.`id` > ? or `articles`.`id` = ?))) order by `articles`.`name` asc, `articles`.`id` asc limit 11;
-- sqlite, data: ["a", 7, 11]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."name", "articles"."id") >= (+?, cast(? as integer)) order by "articles"."name" asc, "articles"."id" asc limit +?;

-- &{"direction":"after","inclusive":false,"values":[7]}
-- postgresql, data: [7]
select "articles"."id", "articles"."name" from "articles" as "articles" where "articles"."id" > $1 order by "articles"."id" asc limit 11;
-- mysql, data: [7]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where `articles`.`id` > ? order by `articles`.`id` asc limit 11;
-- sqlite, data: [7, 11]
select "articles"."id", "articles"."name" from "articles" as "articles" where "articles"."id" > cast(? as integer) order by "articles"."id" asc limit +?;

-- &{"direction":"before","inclusive":true,"values":[7]}
-- postgresql, data: [7]
select "articles"."id", "articles"."name" from "articles" as "articles" where "articles"."id" <= $1 order by "articles"."id" desc limit 11;
-- mysql, data: [7, 7]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where (`articles`.`id` < ? or `articles`.`id` = ?) order by `articles`.`id` desc limit 11;
-- sqlite, data: [7, 11]
select "articles"."id", "articles"."name" from "articles" as "articles" where "articles"."id" <= cast(? as integer) order by "articles"."id" desc limit +?;
