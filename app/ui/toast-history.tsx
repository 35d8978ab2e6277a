import { formatTime } from './moment.ts'
import { useToasts } from './toaster.tsx'

/** The toasts of about the last 15 minutes, for people who missed one. */
export function ToastHistory() {
  const past = useToasts().filter((entry) => !entry.open)
  if (past.length === 0) return <p className="px-4 py-3 text-small text-muted">No notifications</p>
  return (
    <ul className="grid">
      {past.map((entry) => (
        <li key={entry.id} className="border-b border-line px-4 py-3 last:border-b-0">
          <p className="flex items-baseline justify-between gap-4 text-small font-semibold">
            {entry.title}
            <time className="font-mono text-fine font-normal text-muted">{formatTime(entry.at)}</time>
          </p>
          {entry.description && <p className="text-small text-muted">{entry.description}</p>}
        </li>
      ))}
    </ul>
  )
}
