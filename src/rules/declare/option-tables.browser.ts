/** Stands for the tables of options in the build for browsers, which does not check options. */

export const defineQueryRulesTable = {};
