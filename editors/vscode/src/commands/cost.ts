import { costAddress } from '../pages/address';
import { showPage } from '../pages/provider';
import { modelInFront } from './model';

/** Shows what the model in front costs, as a page that follows its edits. */
export async function openCost(): Promise<void> {
  const model = await modelInFront('Which model costs what?');
  if (model !== undefined) {
    await showPage(costAddress(model.toString()));
  }
}
