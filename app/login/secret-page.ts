/**
 * For pages whose address is a secret from a letter: kept nowhere, and told to no other site. (`no-referrer` would also hide from ourselves
 * that the form of such a page is ours.)
 */
export const secretHeaders = () => ({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin', 'x-robots-tag': 'noindex' })
