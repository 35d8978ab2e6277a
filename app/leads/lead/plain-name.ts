/** Whether a typed name can be nothing else: no address of a site, no sentence. Only such a name may stand in an email to a stranger. */
export function isPlainName(name: string): boolean {
  return /^[\p{L}\p{M}'’. -]{1,60}$/u.test(name) && !/\p{L}\.\p{L}{2}/u.test(name)
}
