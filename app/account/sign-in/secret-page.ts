/**
 * For pages whose URL contains a secret from an email: never cached, and never sent to another site. (`no-referrer` would also hide from
 * our own server that the form of such a page is ours.)
 */
export const secretHeaders = () => ({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin', 'x-robots-tag': 'noindex' })
