/** An email address that breaks before its @ and its dots, where a line has no room for it, instead of inside of a word. */
export function EmailText({ children }: { children: string }) {
  const at = children.slice(1).search(/[@.]/) + 1
  if (at === 0) return children
  return (
    <>
      {children.slice(0, at)}
      <wbr />
      <EmailText>{children.slice(at)}</EmailText>
    </>
  )
}
