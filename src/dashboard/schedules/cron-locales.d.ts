/** The languages of cronstrue, which add themselves to the library. */

declare module 'cronstrue/locales/*';
