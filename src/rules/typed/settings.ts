/** Refuses settings at compile time that do not exist or do not fit each other. */

import type { QuerySettings } from '../declare/declaration.ts';
import type { Refused, RefusedName } from './paths.ts';

/** The settings, with `Refused` in the position of each that does not fit. */
export type CheckedSettings<Settings> = {
  readonly [Key in keyof Settings]: Key extends 'defaultPerPage'
    ? PageSize<Settings[Key], LargestPage<Settings>>
    : Key extends keyof QuerySettings
      ? Settings[Key]
      : RefusedName<
          `there is no setting ${Key & string}; use`,
          Extract<keyof QuerySettings, string>
        >;
};

/** The default of `maxPerPage`. */
type DefaultLargestPage = 500;

type LargestPage<Settings> = 'maxPerPage' extends keyof Settings
  ? Settings['maxPerPage']
  : DefaultLargestPage;

type PageSize<Size, Largest> =
  IsGreater<DigitsOf<Size>, DigitsOf<Largest>> extends true
    ? Refused<`defaultPerPage is above maxPerPage, which is ${Largest & number}`>
    : Size;

/** The digits of a literal whole number; `never` for anything else. */
type DigitsOf<Size> = Size extends number ? `${Size}` & `${bigint}` : never;

/** Whether one row of digits is a greater number than another; `false` where one of them is not known. */
type IsGreater<Left extends string, Right extends string> = [Left] extends [never]
  ? false
  : [Right] extends [never]
    ? false
    : string extends Left | Right
      ? false
      : Compared<Left, Right>;

/** The longer row of digits is greater; of two of equal length, the first digit that differs decides. */
type Compared<
  Left extends string,
  Right extends string,
  SoFar extends boolean | null = null,
> = Left extends `${infer Digit}${infer Rest}`
  ? Right extends `${infer Other}${infer Others}`
    ? Compared<Rest, Others, SoFar extends null ? GreaterDigit<Digit, Other> : SoFar>
    : true
  : Right extends ''
    ? SoFar extends true
      ? true
      : false
    : false;

type GreaterDigit<Left extends string, Right extends string> = Left extends Right
  ? null
  : '0123456789' extends `${string}${Left}${string}${Right}${string}`
    ? false
    : true;

/** Whether the settings allow `paginate=false`. */
export type AllowsUnpaginated<
  Settings,
  Otherwise extends boolean = true,
> = 'allowUnpaginated' extends keyof Settings
  ? Settings['allowUnpaginated'] extends infer Given
    ? Given extends boolean
      ? Given
      : Otherwise
    : never
  : Otherwise;
