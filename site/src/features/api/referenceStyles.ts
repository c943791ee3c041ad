/** The styles of API references, apart from those that every page loads. */
import './reference.css';
