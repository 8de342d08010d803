/** Stands for the check of options in the build for browsers; a server that has the rules has checked them at its boot. */

export function checkConfiguration(): void {}
