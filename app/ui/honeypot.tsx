/** Bots that fill in every field fill in this one too. People never see it. */
export function Honeypot({ label }: { label: string }) {
  return (
    <div aria-hidden="true" className="sr-only">
      <label>
        {label}
        <input type="text" name="homepage" tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  )
}
