import { useContext, useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { PlacesContext } from './scrollPlaces';

/** Shows the place of each entry of the history to which the reader goes, in the frame that shows its page. */
export function KeepPlace() {
  const places = useContext(PlacesContext);
  const location = useLocation();
  const isTraversal = useNavigationType() === 'POP';
  useLayoutEffect(() => places?.arrive(location, isTraversal), [places, location, isTraversal]);
  return null;
}
