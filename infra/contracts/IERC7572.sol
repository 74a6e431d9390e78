// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title ERC-7572: metadata of the collection as a whole
interface IERC7572 {
    /// @notice The collection's metadata has changed.
    event ContractURIUpdated();

    /// @notice Where the collection's metadata (JSON) is; empty for none.
    function contractURI() external view returns (string memory);
}
