import { useNavigate } from 'react-router'
import { type DeskCounts, deskFilterKeys, type DeskLead, LEADS_URL } from '#app/leads/lead/desk.ts'
import type { Chosen } from '#app/ui/admin/list-page.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { urlOf } from '#app/ui/admin/view.ts'
import type { DeskDialogState } from './desk-dialogs.tsx'
import { type ChosenLeads, filterIn } from './use-desk.tsx'

type LeadAction = 'stage' | 'owner' | 'tag' | 'untag' | 'delete'
type ChosenRows = Chosen<DeskLead>
type DeskActions = { counts: DeskCounts | undefined; open: (dialog: DeskDialogState) => void }

/** Actions on one lead or on the selected ones: from a row's menu, from the bar of a selection, and by keys. */
export function useDeskActions({ counts, open }: DeskActions) {
  const { params, change } = useView()
  const navigate = useNavigate()
  const filter = filterIn(params)
  const chosenLeads = ({ rows, isAll, count, clear }: ChosenRows): ChosenLeads => {
    const all = isAll && filter && { filter, ...(counts?.isExact && { count }) }
    return { choice: all || { ids: rows.map(({ id }) => id) }, count, done: clear }
  }
  function act(action: LeadAction, whom: DeskLead | ChosenRows) {
    const lead = 'rows' in whom ? undefined : whom
    const first = 'rows' in whom ? whom.rows[0] : whom
    if (!first) return
    const chosen = 'rows' in whom ? chosenLeads(whom) : { choice: { ids: [whom.id] }, count: 1 }
    if (action === 'stage') open({ open: 'stage', chosen, current: String(first.stageId), lead })
    else open({ open: action, chosen, current: first.ownerId ?? '' })
  }
  const onEither = (action: LeadAction) => (lead: DeskLead | undefined, chosen: ChosenRows) => {
    const whom = chosen.count > 0 ? chosen : lead
    if (whom) act(action, whom)
  }
  const bulk = (label: string, action: LeadAction) => ({ label, act: (chosen: ChosenRows) => act(action, chosen) })
  return {
    whole: filter && counts && { count: counts.total, isExact: counts.isExact },
    menuOf: (lead: DeskLead) => [
      { label: 'Change stage…', act: () => act('stage', lead) },
      { label: 'Assign…', act: () => act('owner', lead) },
      { label: 'Add note…', act: () => open({ open: 'note', lead }) },
      { label: 'Add tag…', act: () => act('tag', lead) },
      { label: 'Delete…', isDanger: true, startsGroup: true, act: () => act('delete', lead) },
    ],
    bulk: [
      bulk('Stage', 'stage'),
      bulk('Assign', 'owner'),
      bulk('Tag', 'tag'),
      bulk('Untag', 'untag'),
      { label: 'Export', act: (chosen: ChosenRows) => exportLeads(params, chosen) },
      { label: 'Export Excel', act: (chosen: ChosenRows) => exportLeads(params, chosen, 'xlsx') },
      bulk('Delete', 'delete'),
    ],
    keys: {
      e: onEither('stage'),
      a: onEither('owner'),
      n: (lead: DeskLead | undefined) => lead && open({ open: 'note', lead }),
      r: (lead: DeskLead | undefined) => lead && void navigate(`/leads/${lead.reference}?reply`),
    },
    pageKeys: { c: () => change({ new: 'lead' }), '?': () => open({ open: 'keys' }) },
  }
}

/** All matches, or only the chosen leads. The server names the file; a download link keeps the page open even when the response is an error. */
function exportLeads(params: URLSearchParams, { isAll, rows }: ChosenRows, format?: 'xlsx') {
  const url = new URL(urlOf(`${LEADS_URL}.csv`, params, [...deskFilterKeys, 'sort']), location.origin)
  if (!isAll) url.searchParams.set('ids', rows.map(({ id }) => id).join(','))
  if (format) url.searchParams.set('format', format)
  Object.assign(document.createElement('a'), { href: url.href, download: '' }).click()
}
