/** The enums in the data of the demo. */

/** Regions of `world-countries`. */
export const regions = ['Africa', 'Americas', 'Antarctic', 'Asia', 'Europe', 'Oceania'] as const;

/** GeoNames feature codes of populated places; `PPLC` is the capital of a country, `PPLA` the seat of a first-order division. */
export const features = [
  'PPL',
  'PPLA',
  'PPLA2',
  'PPLA3',
  'PPLA4',
  'PPLA5',
  'PPLC',
  'PPLCH',
  'PPLF',
  'PPLG',
  'PPLH',
  'PPLL',
  'PPLQ',
  'PPLR',
  'PPLS',
  'PPLW',
  'PPLX',
  'STLMT',
] as const;
