-- sort=-price,name&{"direction":"after","inclusive":false,"values":["1.5","a",7]}
-- postgresql, data: ["1.5", "a", 7]
select "articles"."id", "articles"."name", "articles"."price" from "articles" as "articles" where "articles"."price" <= $1 and ("articles"."price" < $1 or ("articles"."price" = $1 and ("articles"."name" > $2 or ("articles"."name" = $2 and "articles"."id" > $3)))) order by "articles"."price" desc, "articles"."name" asc, "articles"."id" asc limit 11;
-- mysql, data: ["1.5", "1.5", "1.5", "a", "a", 7]
select `articles`.`id`, `articles`.`name`, `articles`.`price` from `articles` as `articles` where `articles`.`price` <= cast(? as decimal(65, 30)) and (`articles`.`price` < cast(? as decimal(65, 30)) or (`articles`.`price` = cast(? as decimal(65, 30)) and (`articles`.`name` > ? or (`articles`.`name` = ? and `articles`.`id` > ?)))) order by `articles`.`price` desc, `articles`.`name` asc, `articles`.`id` asc limit 11;
-- sqlite, data: [1.5, 1.5, 1.5, "a", "a", 7, 11]
select "articles"."id", "articles"."name", "articles"."price" from "articles" as "articles" where "articles"."price" <= +? and ("articles"."price" < +? or ("articles"."price" = +? and ("articles"."name" > +? or ("articles"."name" = +? and "articles"."id" > cast(? as integer))))) order by "articles"."price" desc, "articles"."name" asc, "articles"."id" asc limit +?;

-- sort=-price,name&{"direction":"before","inclusive":false,"values":["1.5","a",7]}
-- postgresql, data: ["1.5", "a", 7]
select "articles"."id", "articles"."name", "articles"."price" from "articles" as "articles" where "articles"."price" >= $1 and ("articles"."price" > $1 or ("articles"."price" = $1 and ("articles"."name" < $2 or ("articles"."name" = $2 and "articles"."id" < $3)))) order by "articles"."price" asc, "articles"."name" desc, "articles"."id" desc limit 11;
-- mysql, data: ["1.5", "1.5", "1.5", "a", "a", 7]
select `articles`.`id`, `articles`.`name`, `articles`.`price` from `articles` as `articles` where `articles`.`price` >= cast(? as decimal(65, 30)) and (`articles`.`price` > cast(? as decimal(65, 30)) or (`articles`.`price` = cast(? as decimal(65, 30)) and (`articles`.`name` < ? or (`articles`.`name` = ? and `articles`.`id` < ?)))) order by `articles`.`price` asc, `articles`.`name` desc, `articles`.`id` desc limit 11;
-- sqlite, data: [1.5, 1.5, 1.5, "a", "a", 7, 11]
select "articles"."id", "articles"."name", "articles"."price" from "articles" as "articles" where "articles"."price" >= +? and ("articles"."price" > +? or ("articles"."price" = +? and ("articles"."name" < +? or ("articles"."name" = +? and "articles"."id" < cast(? as integer))))) order by "articles"."price" asc, "articles"."name" desc, "articles"."id" desc limit +?;

-- sort=-price,name&{"direction":"after","inclusive":true,"values":["1.5","a",7]}
-- postgresql, data: ["1.5", "a", 7]
select "articles"."id", "articles"."name", "articles"."price" from "articles" as "articles" where "articles"."price" <= $1 and ("articles"."price" < $1 or ("articles"."price" = $1 and ("articles"."name" > $2 or ("articles"."name" = $2 and ("articles"."id" > $3 or "articles"."id" = $3))))) order by "articles"."price" desc, "articles"."name" asc, "articles"."id" asc limit 11;
-- mysql, data: ["1.5", "1.5", "1.5", "a", "a", 7, 7]
select `articles`.`id`, `articles`.`name`, `articles`.`price` from `articles` as `articles` where `articles`.`price` <= cast(? as decimal(65, 30)) and (`articles`.`price` < cast(? as decimal(65, 30)) or (`articles`.`price` = cast(? as decimal(65, 30)) and (`articles`.`name` > ? or (`articles`.`name` = ? and (`articles`.`id` > ? or `articles`.`id` = ?))))) order by `articles`.`price` desc, `articles`.`name` asc, `articles`.`id` asc limit 11;
-- sqlite, data: [1.5, 1.5, 1.5, "a", "a", 7, 7, 11]
select "articles"."id", "articles"."name", "articles"."price" from "articles" as "articles" where "articles"."price" <= +? and ("articles"."price" < +? or ("articles"."price" = +? and ("articles"."name" > +? or ("articles"."name" = +? and ("articles"."id" > cast(? as integer) or "articles"."id" = cast(? as integer)))))) order by "articles"."price" desc, "articles"."name" asc, "articles"."id" asc limit +?;

-- sort=code,-serial&{"direction":"after","inclusive":false,"values":["6ba7","9007199254740993",7]}
-- postgresql, data: ["6ba7", "9007199254740993", 7]
select "articles"."id", "articles"."name", "articles"."code_order", "articles"."serial" from "articles" as "articles" where "articles"."code_order" >= $1 and ("articles"."code_order" > $1 or ("articles"."code_order" = $1 and ("articles"."serial" < $2 or ("articles"."serial" = $2 and "articles"."id" > $3)))) order by "articles"."code_order" asc nulls first, "articles"."serial" desc, "articles"."id" asc limit 11;
-- mysql, data: ["6ba7", "6ba7", "6ba7", "9007199254740993", "9007199254740993", 7]
select `articles`.`id`, `articles`.`name`, `articles`.`code_order`, cast(`articles`.`serial` as char) from `articles` as `articles` where `articles`.`code_order` >= ? and (`articles`.`code_order` > ? or (`articles`.`code_order` = ? and (`articles`.`serial` < cast(? as signed) or (`articles`.`serial` = cast(? as signed) and `articles`.`id` > ?)))) order by `articles`.`code_order` asc, `articles`.`serial` desc, `articles`.`id` asc limit 11;
-- sqlite, data: ["6ba7", "6ba7", "6ba7", "9007199254740993", "9007199254740993", 7, 11]
select "articles"."id", "articles"."name", "articles"."code_order", cast("articles"."serial" as text) from "articles" as "articles" where "articles"."code_order" >= +? and ("articles"."code_order" > +? or ("articles"."code_order" = +? and ("articles"."serial" < cast(? as integer) or ("articles"."serial" = cast(? as integer) and "articles"."id" > cast(? as integer))))) order by "articles"."code_order" asc, "articles"."serial" desc, "articles"."id" asc limit +?;
