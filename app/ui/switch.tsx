type SwitchProps = {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  /** The id of the description. */
  describedBy?: string
}

/** An on/off switch that takes effect immediately; its label is beside it. */
export function Switch({ label, checked, onChange, describedBy }: SwitchProps) {
  return (
    <label className="inline-flex min-h-11 cursor-pointer items-center gap-3 text-small font-semibold">
      <input
        type="checkbox"
        // A checkbox exposes its own checked state.
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props
        role="switch"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        aria-describedby={describedBy}
        className="peer sr-only"
      />
      <span
        aria-hidden="true"
        className="flex h-6 w-11 shrink-0 items-center rounded-full border border-edge bg-sunken p-0.5 transition-colors peer-checked:border-transparent peer-checked:bg-leaf peer-focus-visible:outline-2 peer-focus-visible:outline-offset-3 peer-focus-visible:outline-grain-text after:size-4.5 after:rounded-full after:bg-edge after:transition-transform peer-checked:after:translate-x-5 peer-checked:after:bg-surface"
      />
      {label}
    </label>
  )
}
