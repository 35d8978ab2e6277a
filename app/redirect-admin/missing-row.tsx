import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type MissingPath, MISSING_PATHS } from '#app/missing-paths/missing-path.ts'
import { apiRequest } from '#app/platform/api.ts'
import { askAgain, tellFailure } from '#app/redirect-import/redirect-answers.ts'
import type { RedirectBody } from '#app/redirects/redirect.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { toast } from '#app/ui/toast.ts'

type MissingRowProps = { missing: MissingPath; create: (begin: Partial<RedirectBody>) => void }

export function MissingRow({ missing, create }: MissingRowProps) {
  const { path, suggestion, ignoredAt } = missing
  const { mark, forget } = useMissing(missing)
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
        <Button
          type="button"
          look="quiet"
          size="small"
          busy={mark.isPending}
          aria-label={ignoredAt ? `Watch again ${path}` : `Ignore ${path}`}
          onClick={() => mark.mutate()}
        >
          {ignoredAt ? 'Watch again' : 'Ignore'}
        </Button>
        <Button
          type="button"
          look="quiet"
          size="small"
          busy={forget.isPending}
          aria-label={`Remove ${path}`}
          onClick={() => forget.mutate()}
        >
          Remove
        </Button>
      </div>
    </li>
  )
}

function About({ missing: { path, hits, botHits, referrer, lastSeenAt, suggestion, ignoredAt } }: { missing: MissingPath }) {
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
        <span>{people === 1 ? '1 visit' : `${people.toLocaleString('en')} visits`}</span>
        <span>{botHits === 1 ? '1 by a bot' : `${botHits.toLocaleString('en')} by bots`}</span>
        <span>
          Last seen <time dateTime={lastSeenAt}>{formatMoment(lastSeenAt)}</time>
        </span>
      </p>
    </div>
  )
}

function useMissing({ path, ignoredAt }: MissingPath) {
  const client = useQueryClient()
  const mark = useMutation({
    mutationFn: async () => apiRequest('POST', `${MISSING_PATHS}/ignore`, { path, ignored: !ignoredAt }),
    onSuccess: async () => askAgain(client),
    onError: (error) => tellFailure('Not changed', error),
  })
  const forget = useMutation({
    mutationFn: async () => apiRequest('DELETE', `${MISSING_PATHS}?path=${encodeURIComponent(path)}`),
    async onSuccess() {
      toast({ title: 'Removed from the list', description: 'It comes back when someone asks for it again.' })
      await askAgain(client)
    },
    onError: (error) => tellFailure('Not removed', error),
  })
  return { mark, forget }
}
