import { type NotFoundEntry, NOT_FOUND_API } from '#app/redirects/not-found/not-found.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { numberText } from '#app/platform/english-number.ts'
import { redirectData } from './redirect-errors.ts'
import type { RedirectBody } from '#app/redirects/rules/redirect.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { formatMoment } from '#app/ui/moment.ts'

type MissingRowProps = { missing: NotFoundEntry; create: (begin: Partial<RedirectBody>) => void }

export function NotFoundRow({ missing, create }: MissingRowProps) {
  const { path, suggestion, ignoredAt } = missing
  const mark = {
    send: async () => apiRequest('POST', `${NOT_FOUND_API}/ignore`, { path, ignored: !ignoredAt }),
    failed: 'Not changed',
    touches: redirectData,
  }
  const forget = {
    send: async () => apiRequest('DELETE', `${NOT_FOUND_API}?path=${encodeURIComponent(path)}`),
    done: () => ({ title: 'Removed from the list', description: 'It reappears when a visitor requests it again.' }),
    failed: 'Path not removed',
    touches: redirectData,
  }
  return (
    <li className="grid gap-x-6 gap-y-3 border-b border-line p-4 last:border-b-0 lg:grid-cols-[1fr_auto]">
      <About missing={missing} />
      <div className="flex flex-wrap items-start gap-2 lg:justify-end">
        <Button
          type="button"
          size="small"
          aria-label={`Redirect ${path}`}
          onClick={() => create({ fromPath: path, toPath: suggestion ?? '' })}
        >
          Redirect
        </Button>
        <ActionButton action={mark} size="small" aria-label={ignoredAt ? `Stop ignoring ${path}` : `Ignore ${path}`}>
          {ignoredAt ? 'Stop ignoring' : 'Ignore'}
        </ActionButton>
        <ActionButton action={forget} size="small" aria-label={`Remove ${path}`} pending="Removing...">
          Remove
        </ActionButton>
      </div>
    </li>
  )
}

function About({ missing: { path, hits, botHits, referrer, lastSeenAt, suggestion, ignoredAt } }: { missing: NotFoundEntry }) {
  const people = hits - botHits
  return (
    <div className="grid min-w-0 content-start gap-1.5">
      <p className="font-mono text-small font-semibold wrap-anywhere">{path}</p>
      {suggestion && (
        <p className="text-small text-muted">
          Looks like <span className="font-mono text-ink wrap-anywhere">{suggestion}</span>
        </p>
      )}
      {referrer && <p className="text-small text-muted wrap-anywhere">Last asked for from {referrer}</p>}
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 font-mono text-fine text-muted">
        {ignoredAt && <Badge>Ignored</Badge>}
        <span>{people === 1 ? '1 visit' : `${numberText(people)} visits`}</span>
        <span>{botHits === 1 ? '1 by a bot' : `${numberText(botHits)} by bots`}</span>
        <span>
          Last seen <time dateTime={lastSeenAt}>{formatMoment(lastSeenAt)}</time>
        </span>
      </p>
    </div>
  )
}
