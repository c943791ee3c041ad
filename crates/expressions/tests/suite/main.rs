//! The crate through its public boundary: what integrators write goes in, truths, numbers and messages come out.

mod filter;
mod limits;
mod oracle;
mod params;
mod properties;
mod table;
mod value;
