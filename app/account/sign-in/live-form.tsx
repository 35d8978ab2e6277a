type LiveFormProps = { submit: (form: HTMLFormElement) => Promise<unknown>; children: React.ReactNode }

/** A form that the live page submits itself; before hydration the browser submits it to the page's action. */
export function LiveForm({ submit, children }: LiveFormProps) {
  return (
    <form
      method="post"
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        void submit(event.currentTarget)
      }}
    >
      {children}
    </form>
  )
}
