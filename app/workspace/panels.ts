import type { ComponentType } from 'react'
import { CallsPanel } from './calls-panel.tsx'
import { LastDayPanel } from './last-day-panel.tsx'
import { OverduePanel } from './overdue-panel.tsx'
import { TasksPanel } from './tasks-panel.tsx'
import { UnsettledPanel } from './unsettled-panel.tsx'
import type { StaffHome } from './workspace.ts'

/** One panel of the workspace home. It fetches data beyond `home` from the API. */
export type Panel<Home> = { name: string; place: 'main' | 'side' | 'wide'; View: ComponentType<{ home: Home }> }

/** The panels of the workspace home, from the top. A feature adds its panel here and nowhere else. */
export const staffPanels: readonly Panel<StaffHome>[] = [
  { name: 'overdue', place: 'main', View: OverduePanel },
  { name: 'unsettled', place: 'side', View: UnsettledPanel },
  { name: 'tasks', place: 'main', View: TasksPanel },
  { name: 'calls', place: 'side', View: CallsPanel },
  { name: 'last-day', place: 'wide', View: LastDayPanel },
]
