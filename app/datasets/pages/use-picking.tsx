import { useView } from '#app/ui/admin/use-view.tsx'
import type { Picking } from './histogram.tsx'
import { isChosen, pressed } from './row-view.ts'

/** Bars and values as row filters in the URL. */
export function usePicking(): Picking {
  const { params, change } = useView()
  return {
    isChosen: (filters) => isChosen(params, filters),
    pick: (filters) => change(pressed(params, filters)),
  }
}
