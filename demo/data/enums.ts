/** The closed sets of words in the demo's data. */

/** Regions as `world-countries` names them. */
export const regions = ['Africa', 'Americas', 'Antarctic', 'Asia', 'Europe', 'Oceania'] as const;

/** GeoNames feature codes of populated places; `PPLC` is a country's capital, `PPLA` a seat of a region. */
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
