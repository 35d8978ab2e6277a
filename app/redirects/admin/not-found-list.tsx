import { keepPreviousData } from '@tanstack/react-query'
import { BanIcon, CornerUpRightIcon, Trash2Icon } from 'lucide-react'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { NOT_FOUND_API, notFoundPage } from '#app/redirects/not-found/not-found.ts'
import type { RedirectBody } from '#app/redirects/rules/redirect.ts'
import { QuestionButton } from '#app/ui/admin/action-button.tsx'
import { RowButton } from '#app/ui/admin/data-table.tsx'
import { ListPage, onlyOne } from '#app/ui/admin/list-page.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { urlOf } from '#app/ui/admin/view.ts'
import { notFoundLook, type NotFoundRow } from './not-found-look.tsx'
import { redirectData } from './redirect-errors.ts'
import { pageOf, REDIRECT_PAGE_SIZE } from './redirect-view.ts'
import { useNotFoundChanges } from './use-not-found-changes.tsx'

type NotFoundListProps = { /** Opens the form with what is known already. */ create: (begin: Partial<RedirectBody>) => void }

/** The not found log: each path once, with a suggested target. */
export function NotFoundList({ create }: NotFoundListProps) {
  const { params } = useView()
  const list = usePageQuery({ ...apiQuery(askedUrl(params), notFoundPage), placeholderData: keepPreviousData })
  const changes = useNotFoundChanges()
  const count = list.data?.total ?? 0
  const begin = ({ path, suggestion }: NotFoundRow) => create({ fromPath: path, toPath: suggestion ?? '' })
  const ignoring = params.get('ignored') === 'true' ? 'Stop ignoring' : 'Ignore'
  return (
    <ListPage
      {...notFoundLook}
      list={list}
      rows={list.data?.items.map((item) => ({ ...item, id: item.path }))}
      whole={{ count }}
      place={{ count, total: count, ...pageOf(params, count) }}
      opens={(row) => ({ act: () => begin(row) })}
      renderActions={(row) => (
        <>
          <RowButton label={`Redirect ${row.path}`} onClick={() => begin(row)}>
            <CornerUpRightIcon aria-hidden="true" />
          </RowButton>
          <RowButton label={`${ignoring} ${row.path}`} onClick={() => changes.ignore(onlyOne(row), !row.ignoredAt)}>
            <BanIcon aria-hidden="true" />
          </RowButton>
          <RowButton label={`Remove ${row.path}`} onClick={() => changes.remove(onlyOne(row))}>
            <Trash2Icon aria-hidden="true" />
          </RowButton>
        </>
      )}
      actionCount={3}
      menuOf={(row) => [
        { label: 'Redirect', act: () => begin(row) },
        { label: ignoring, act: () => changes.ignore(onlyOne(row), !row.ignoredAt) },
        { label: 'Remove', startsGroup: true, isDanger: true, act: () => changes.remove(onlyOne(row)) },
      ]}
      bulk={[
        { label: ignoring, act: (chosen) => changes.ignore(chosen, ignoring === 'Ignore') },
        { label: 'Remove', act: changes.remove },
      ]}
      tools={
        count > 0 && (
          <QuestionButton action={clearing} label="Clear all" question="Clear the list?" confirm="Clear all" pending="Clearing...">
            <p>This deletes all paths, including ignored ones. They reappear when visitors request them again.</p>
          </QuestionButton>
        )
      }
    >
      {changes.dialog}
    </ListPage>
  )
}

const clearing = {
  send: async () => apiRequest('DELETE', `${NOT_FOUND_API}?all=true`),
  done: 'The list is empty',
  failed: 'List not cleared',
  touches: redirectData,
}

/** The API URL for the page and filters of the address bar. */
function askedUrl(params: URLSearchParams): string {
  const page = Math.max(1, Math.trunc(Number(params.get('cursor') ?? 1)) || 1)
  const asked = new URLSearchParams(params)
  if (page > 1) asked.set('offset', String((page - 1) * REDIRECT_PAGE_SIZE))
  return urlOf(NOT_FOUND_API, asked, ['sort', 'visitors', 'ignored', 'offset'])
}
