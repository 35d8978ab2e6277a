import { useView } from '#app/admin-view/use-view.tsx'
import type { Picking } from '#app/dataset-view/histogram.tsx'
import { isChosen, pressed } from './row-view.ts'

/** Bars and values of columns as filters of the rows, kept in the address. */
export function usePicking(): Picking {
  const { params, change } = useView()
  return {
    isChosen: (filters) => isChosen(params, filters),
    pick: (filters) => change(pressed(params, filters)),
  }
}
