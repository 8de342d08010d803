-- filter[stock][gt]=1&filter[serial][gte]=2&filter[price][lt]=3.5&filter[day][lte]=2024-02-29
-- postgresql, data: [1, "2", "3.5", "2024-02-29"]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."stock" > $1 and "articles"."serial" >= $2 and "articles"."price" < $3 and "articles"."day" <= $4) order by "articles"."id" asc limit 10;
-- postgresql, count: [1, "2", "3.5", "2024-02-29"]
select count(*) from "articles" as "articles" where ("articles"."stock" > $1 and "articles"."serial" >= $2 and "articles"."price" < $3 and "articles"."day" <= $4);
-- mysql, data: [1, "2", "3.5", "2024-02-29"]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where (`articles`.`stock` > ? and `articles`.`serial` >= cast(? as signed) and `articles`.`price` < cast(? as decimal(65, 30)) and `articles`.`day` <= ?) order by `articles`.`id` asc limit 10;
-- mysql, count: [1, "2", "3.5", "2024-02-29"]
select count(*) from `articles` as `articles` where (`articles`.`stock` > ? and `articles`.`serial` >= cast(? as signed) and `articles`.`price` < cast(? as decimal(65, 30)) and `articles`.`day` <= ?);
-- sqlite, data: [1, "2", 3.5, "2024-02-29", 10]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."stock" > cast(? as integer) and "articles"."serial" >= cast(? as integer) and "articles"."price" < ? and "articles"."day" <= ?) order by "articles"."id" asc limit +?;
-- sqlite, count: [1, "2", 3.5, "2024-02-29"]
select count(*) from "articles" as "articles" where ("articles"."stock" > cast(? as integer) and "articles"."serial" >= cast(? as integer) and "articles"."price" < ? and "articles"."day" <= ?);

-- filter[price][between]=1,1.00000000000000001&filter[name][between]=a,b
-- postgresql, data: ["1", "1.00000000000000001", "a", "b"]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."price" >= $1 and "articles"."price" <= $2 and "articles"."name" >= $3 and "articles"."name" <= $4) order by "articles"."id" asc limit 10;
-- postgresql, count: ["1", "1.00000000000000001", "a", "b"]
select count(*) from "articles" as "articles" where ("articles"."price" >= $1 and "articles"."price" <= $2 and "articles"."name" >= $3 and "articles"."name" <= $4);
-- mysql, data: ["1", "1.00000000000000001", "a", "b"]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where (`articles`.`price` >= cast(? as decimal(65, 30)) and `articles`.`price` <= cast(? as decimal(65, 30)) and `articles`.`name` >= ? and `articles`.`name` <= ?) order by `articles`.`id` asc limit 10;
-- mysql, count: ["1", "1.00000000000000001", "a", "b"]
select count(*) from `articles` as `articles` where (`articles`.`price` >= cast(? as decimal(65, 30)) and `articles`.`price` <= cast(? as decimal(65, 30)) and `articles`.`name` >= ? and `articles`.`name` <= ?);
-- sqlite, data: [1, 1, "a", "b", 10]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."price" >= ? and "articles"."price" <= ? and "articles"."name" >= ? and "articles"."name" <= ?) order by "articles"."id" asc limit +?;
-- sqlite, count: [1, 1, "a", "b"]
select count(*) from "articles" as "articles" where ("articles"."price" >= ? and "articles"."price" <= ? and "articles"."name" >= ? and "articles"."name" <= ?);

-- filter[changedAt][gt]=2024-03-04T05:06:07.123456Z
-- postgresql, data: ["2024-03-04T05:06:07.123456Z"]
select "articles"."id", "articles"."name" from "articles" as "articles" where "articles"."changed_at" > $1 order by "articles"."id" asc limit 10;
-- postgresql, count: ["2024-03-04T05:06:07.123456Z"]
select count(*) from "articles" as "articles" where "articles"."changed_at" > $1;
-- mysql, data: ["2024-03-04 05:06:07.123456"]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where `articles`.`changed_at` > ? order by `articles`.`id` asc limit 10;
-- mysql, count: ["2024-03-04 05:06:07.123456"]
select count(*) from `articles` as `articles` where `articles`.`changed_at` > ?;
-- sqlite, data: ["2024-03-04T05:06:07.123Z", 10]
select "articles"."id", "articles"."name" from "articles" as "articles" where "articles"."changed_at" > ? order by "articles"."id" asc limit +?;
-- sqlite, count: ["2024-03-04T05:06:07.123Z"]
select count(*) from "articles" as "articles" where "articles"."changed_at" > ?;

-- filter[code][gt]=6ba7b810-9dad-11d1-80b4-00c04fd430c8
-- postgresql, data: ["6ba7b810-9dad-11d1-80b4-00c04fd430c8"]
select "articles"."id", "articles"."name" from "articles" as "articles" where "articles"."code_order" > $1 order by "articles"."id" asc limit 10;
-- postgresql, count: ["6ba7b810-9dad-11d1-80b4-00c04fd430c8"]
select count(*) from "articles" as "articles" where "articles"."code_order" > $1;
-- mysql, data: ["6ba7b810-9dad-11d1-80b4-00c04fd430c8"]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where `articles`.`code_order` > ? order by `articles`.`id` asc limit 10;
-- mysql, count: ["6ba7b810-9dad-11d1-80b4-00c04fd430c8"]
select count(*) from `articles` as `articles` where `articles`.`code_order` > ?;
-- sqlite, data: ["6ba7b810-9dad-11d1-80b4-00c04fd430c8", 10]
select "articles"."id", "articles"."name" from "articles" as "articles" where "articles"."code_order" > ? order by "articles"."id" asc limit +?;
-- sqlite, count: ["6ba7b810-9dad-11d1-80b4-00c04fd430c8"]
select count(*) from "articles" as "articles" where "articles"."code_order" > ?;
