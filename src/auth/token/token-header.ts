/** Names of headers that may carry a token. */

/** The syntax of the name of a header. */
const syntax = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/**
 * Headers that describe the message or its route, or that browsers and proxies add to requests: such a header would
 * never arrive as sent, or would be a wrong token in every request of a browser.
 */
const used = new RegExp(
  '^(?:' +
    [
      // The message and the connection.
      'connection|content-.+|date|expect|host|http2-settings|keep-alive|proxy-.+|te|trailer|transfer-encoding|upgrade',
      // Browsers. Of the `sec-` headers a page can choose the protocols of a WebSocket, and nothing else.
      'accept|accept-.+|access-control-.+|cache-control|dnt|if-.+|origin|pragma|priority|range|referer',
      'sec-(?!websocket-protocol$).+|set-cookie|cookie|upgrade-insecure-requests|user-agent',
      // Proxies.
      'forwarded|max-forwards|via|x-forwarded-(?:by|for|host|port|prefix|proto|server)|x-real-ip',
    ].join('|') +
    ')$',
  'i',
);

/** Whether a token sent in this header can arrive. */
export function mayCarryToken(name: unknown): boolean {
  return typeof name === 'string' && syntax.test(name) && !used.test(name);
}
