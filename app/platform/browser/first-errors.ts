type Issue = { readonly path: readonly PropertyKey[]; readonly message: string }

/** The first error of each field, in the order of the form. */
export function firstErrors({ issues }: { readonly issues: readonly Issue[] }): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) errors[path.join('.') || 'form'] ??= message
  return errors
}
