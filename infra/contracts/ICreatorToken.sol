// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title ERC-721C: tokens whose transfers another contract checks, such as one that enforces royalties
interface ICreatorToken {
    /// @notice Another validator checks transfers from now on; none when it is the zero address.
    event TransferValidatorUpdated(address oldValidator, address newValidator);

    /// @notice The contract that checks transfers; the zero address for none.
    function getTransferValidator() external view returns (address validator);

    /// @notice Which function of the validator is called, and whether it is called as a view function.
    function getTransferValidationFunction() external view returns (bytes4 functionSignature, bool isViewFunction);

    /// @notice Sets the validator; the zero address for none.
    function setTransferValidator(address validator) external;
}

/// @title What a token calls on its transfer validator
interface ITransferValidator {
    /// @notice Reverts for a transfer that is not allowed.
    /// @param caller Who calls the token contract.
    function validateTransfer(address caller, address from, address to, uint256 tokenId) external view;
}
