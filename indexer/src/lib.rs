//! Turns a folder of Markdown into pages, a search index and search items.
//!
//! The stages take values and give values: [`source`] reads a folder, [`site::build`] makes everything out of it and
//! lists what is wrong, [`emit`] writes. The binary only reads its arguments and chooses the exit code.

#![forbid(unsafe_code)]

pub mod api;
pub mod brand;
mod card;
pub mod components;
pub mod config;
pub mod diagnostic;
pub mod embed;
pub mod emit;
pub mod fields;
pub mod front_matter;
pub mod history;
mod html;
mod javascript;
pub mod languages;
mod links;
pub mod lists;
pub mod machines;
mod mark;
mod markdown;
pub mod menu;
pub mod navbar;
mod notebook;
mod parents;
pub mod query;
pub mod redirects;
mod routes;
mod sections;
pub mod sidebar;
pub mod site;
pub mod source;
mod stamp;
pub mod static_files;
mod summary;
mod syntax;
pub mod words;
mod yaml;
