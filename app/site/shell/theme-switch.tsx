import { Form } from 'react-router'
import type { Theme } from '#app/platform/http/request-context.server.ts'

const themes: { value: Theme; label: string; picture: React.ReactNode }[] = [
  { value: 'system', label: 'System', picture: <path d="M2 3.5h12v7.5H2zM6 13.5h4M8 11v2.5" /> },
  {
    value: 'light',
    label: 'Light',
    picture: (
      <>
        <circle cx="8" cy="8" r="2.75" />
        <path d="M8 1.5v1.25M8 13.25v1.25M1.5 8h1.25M13.25 8h1.25M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9" />
      </>
    ),
  },
  { value: 'dark', label: 'Dark', picture: <path d="M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7Z" /> },
]

/** Three buttons of a native form: the choice is stored in a cookie, and the same page is shown in the new theme. */
export function ThemeSwitch({ theme }: { theme: Theme }) {
  return (
    <Form
      method="post"
      action="/theme"
      preventScrollReset
      className="inline-flex flex-wrap rounded-control border border-edge bg-surface p-0.5"
    >
      {themes.map(({ value, label, picture }) => (
        <button
          key={value}
          name="theme"
          value={value}
          aria-pressed={theme === value}
          className="inline-flex min-h-10 items-center gap-2 rounded-[4px] px-3 in-[.workspace]:min-h-7 in-[.workspace]:px-2 text-fine font-medium text-muted transition-colors pointer-coarse:min-h-11 hover:text-ink focus-visible:outline-offset-0 aria-pressed:bg-sunken aria-pressed:text-ink"
        >
          <svg
            viewBox="0 0 16 16"
            aria-hidden="true"
            className="size-4 fill-none stroke-current stroke-[1.4] [stroke-linecap:round] [stroke-linejoin:round]"
          >
            {picture}
          </svg>
          {label}
        </button>
      ))}
    </Form>
  )
}
