-- filter[name][like]=50%25_%5C!*?[a]&filter[name][notLike]=b
-- postgresql, data: ["%50\\%\\_\\\\!*?[a]%", "%b%"]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."name" like $1 and not ("articles"."name" like $2)) order by "articles"."id" asc limit 10;
-- postgresql, count: ["%50\\%\\_\\\\!*?[a]%", "%b%"]
select count(*) from "articles" as "articles" where ("articles"."name" like $1 and not ("articles"."name" like $2));
-- mysql, data: ["%50!%!_\\!!*?[a]%", "%b%"]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where (`articles`.`name` like ? escape '!' and not (`articles`.`name` like ? escape '!')) order by `articles`.`id` asc limit 10;
-- mysql, count: ["%50!%!_\\!!*?[a]%", "%b%"]
select count(*) from `articles` as `articles` where (`articles`.`name` like ? escape '!' and not (`articles`.`name` like ? escape '!'));
-- sqlite, data: ["*50%_\\![*][?][[]a]*", "*b*", 10]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."name" glob +? and not ("articles"."name" glob +?)) order by "articles"."id" asc limit +?;
-- sqlite, count: ["*50%_\\![*][?][[]a]*", "*b*"]
select count(*) from "articles" as "articles" where ("articles"."name" glob +? and not ("articles"."name" glob +?));

-- filter[name][ilike]=%C3%89T%C3%89&filter[name][notIlike]=x
-- postgresql, data: ["%été%", "%x%"]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."name_folded" like $1 and not ("articles"."name_folded" like $2)) order by "articles"."id" asc limit 10;
-- postgresql, count: ["%été%", "%x%"]
select count(*) from "articles" as "articles" where ("articles"."name_folded" like $1 and not ("articles"."name_folded" like $2));
-- mysql, data: ["%été%", "%x%"]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where (`articles`.`name_folded` like ? escape '!' and not (`articles`.`name_folded` like ? escape '!')) order by `articles`.`id` asc limit 10;
-- mysql, count: ["%été%", "%x%"]
select count(*) from `articles` as `articles` where (`articles`.`name_folded` like ? escape '!' and not (`articles`.`name_folded` like ? escape '!'));
-- sqlite, data: ["*été*", "*x*", 10]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."name_folded" glob +? and not ("articles"."name_folded" glob +?)) order by "articles"."id" asc limit +?;
-- sqlite, count: ["*été*", "*x*"]
select count(*) from "articles" as "articles" where ("articles"."name_folded" glob +? and not ("articles"."name_folded" glob +?));

-- filter[code][like]=6ba7&filter[state][like]=ne
-- postgresql, data: ["%6ba7%", "%ne%"]
select "articles"."id", "articles"."name" from "articles" as "articles" where (cast("articles"."code" as text) like $1 and cast("articles"."state" as text) like $2) order by "articles"."id" asc limit 10;
-- postgresql, count: ["%6ba7%", "%ne%"]
select count(*) from "articles" as "articles" where (cast("articles"."code" as text) like $1 and cast("articles"."state" as text) like $2);
-- mysql, data: ["%6ba7%", "%ne%"]
select `articles`.`id`, `articles`.`name` from `articles` as `articles` where (`articles`.`code` like ? escape '!' and `articles`.`state` like ? escape '!') order by `articles`.`id` asc limit 10;
-- mysql, count: ["%6ba7%", "%ne%"]
select count(*) from `articles` as `articles` where (`articles`.`code` like ? escape '!' and `articles`.`state` like ? escape '!');
-- sqlite, data: ["*6ba7*", "*ne*", 10]
select "articles"."id", "articles"."name" from "articles" as "articles" where ("articles"."code" glob +? and "articles"."state" glob +?) order by "articles"."id" asc limit +?;
-- sqlite, count: ["*6ba7*", "*ne*"]
select count(*) from "articles" as "articles" where ("articles"."code" glob +? and "articles"."state" glob +?);
