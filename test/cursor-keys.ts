/** The secret under which tests seal cursors. */
export const cursorKeys = 'a secret that is only for tests, of 32 characters and more';
