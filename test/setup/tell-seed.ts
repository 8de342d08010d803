/** Says once per run which cases the generated suites draw, and how to draw them again. */

export function setup(): void {
  const { SLUICE_SEED: seed, SLUICE_LONG: long } = process.env;
  const size = long === '1' ? 'all cases' : 'a tenth of the cases';
  console.log(`Generated suites: ${size}; SLUICE_SEED=${seed} repeats them.\n`);
}
