/** A list does not send its form on Enter, as a text field does. */
export function submitOnEnter(event: React.KeyboardEvent<HTMLSelectElement | HTMLTextAreaElement>) {
  if (event.key !== 'Enter') return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
